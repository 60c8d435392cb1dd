/** The formats of each kind of result, in the order in which help names them. */
export const formatsOf = {
  list: ['table', 'json', 'yaml', 'csv', 'value', 'wide', 'name'],
  show: ['table', 'json', 'yaml', 'shell', 'value', 'wide', 'name'],
} as const

export type Format = (typeof formatsOf)['list' | 'show'][number]
