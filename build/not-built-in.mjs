// Stands in for parts of got that it loads always and uses only with options that we never set: HTTP/2, its caches of
// answers and of names, and forms. A third of its size, and of the time to load it.
class NotBuiltIn {
  constructor() {
    throw new Error('this part of got is not built in')
  }
}
export default NotBuiltIn
export { NotBuiltIn as CacheError, NotBuiltIn as FormDataEncoder }
export const isFormData = () => false
