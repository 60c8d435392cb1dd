/** Labels as a selector of them, as lists and watches take it: `a=b,c=d`. */
export const labelSelector = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join()
