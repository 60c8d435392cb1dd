// Only the ASN.1 part of node-forge is imported (a third of the package), and the package has no types for it.
declare module 'node-forge/lib/asn1.js' {
  import type forge from 'node-forge'

  const asn1: typeof forge.asn1
  export default asn1
}
