// Stands in for http2-wrapper: got asks for it at load time and uses it only with the option `http2`, which we never set.
const none = () => {
  throw new Error('HTTP/2 is not built in')
}
export default { auto: none, request: none, globalAgent: undefined }
