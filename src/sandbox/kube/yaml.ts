/** The package yaml, as the simulated API servers read and write it. */
export { parse, stringify } from 'yaml'
