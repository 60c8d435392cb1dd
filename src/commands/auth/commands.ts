export { authKubectlToken } from './kubectl-token.ts'
