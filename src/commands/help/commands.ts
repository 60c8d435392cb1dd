export { help } from './help.ts'
