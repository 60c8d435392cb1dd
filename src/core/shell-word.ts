/**
 * Quotes a word for a shell, because users paste the commands that coe prints. Names of contexts and files may contain
 * blanks, and names read from a cluster may be crafted to run as code.
 */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word))

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
