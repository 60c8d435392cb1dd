/** Turns labels into a selector for lists and watches: `a=b,c=d`. */
export const labelSelector = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join()
