/**
 * Imports code that does not come with coe. The bundler leaves this file to Node to load, because code compiled in an
 * earlier run (see src/cli/start/code-cache.ts) cannot call `import()`.
 */
export const importModule = (url: string): Promise<unknown> => import(url)
