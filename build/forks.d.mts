export const forkable: readonly string[]
export function makeFork(driver: string, folder: string): Promise<void>
