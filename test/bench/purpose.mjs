// Which requests carry a change out, and which only make sure: of the person's rights, of whose an object is, of what was
// asked for being so. karmadactl asks next to none of the latter, so they are counted apart.
const neededReads = [
  /\/configmaps\/coe-federation$/, // the record
  /\/configmaps\?.*record%3Dmember/, // its members
  /\/secrets\/admin-kubeconfig$/, // the way into the federation
  /\/namespaces\/karmada-cluster\/secrets\?/, // the tokens that the member has made
  /\/karmada-es-[^/]+\/works\?(?!.*watch=)/, // what a federation has put there, which is to stay
  /\/services\/karmada-apiserver$/, // the port that was given to it
  /\/nodes\?/, // the address that it will have
]

export const isVerification = ({ method, url }) => {
  if (method === 'GET') return !neededReads.some(read => read.test(url))
  return /\/selfsubject\w+reviews/.test(url) || /[?&]dryRun=All/.test(url)
}

export function countOf(requests) {
  const verification = requests.filter(isVerification).length
  return { all: requests.length, verification, work: requests.length - verification }
}
