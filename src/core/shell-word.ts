/**
 * As a shell takes it for one word. Lines are printed to be pasted: contexts and files may have blanks in their names, and what is
 * read from somebody else's cluster may be written to be run.
 */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word))

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
