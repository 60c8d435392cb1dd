/**
 * Code that does not come with coe. A file of its own, which the bundler leaves to Node to load: `import()` cannot be called
 * from code that was compiled in an earlier run (see src/cli/start/code-cache.ts).
 */
export const importModule = (url: string): Promise<unknown> => import(url)
