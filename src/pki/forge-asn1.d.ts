// The ASN.1 part of node-forge alone (a third of the whole); its types come only with the package's front door.
declare module 'node-forge/lib/asn1.js' {
  import type forge from 'node-forge'

  const asn1: typeof forge.asn1
  export default asn1
}
