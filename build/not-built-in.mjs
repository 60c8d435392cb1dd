// Replaces parts of got that it always loads, but uses only with options that coe never sets: HTTP/2, its caches of
// answers and names, and forms. They are a third of its size and loading time.
class NotBuiltIn {
  constructor() {
    throw new Error('this part of got is not built in')
  }
}
export default NotBuiltIn
export { NotBuiltIn as CacheError, NotBuiltIn as FormDataEncoder }
export const isFormData = () => false
