// Which requests carry a change out, and which only verify: the user's rights, who owns an object, and whether the result is
// as requested. karmadactl sends next to none of the latter, so they are counted apart.
const neededReads = [
  /\/configmaps\/coe-federation$/, // the record
  /\/configmaps\?.*record%3Dmember/, // its members
  /\/secrets\/admin-kubeconfig$/, // the federation's access
  /\/namespaces\/karmada-cluster\/secrets\?/, // the tokens that the member has issued
  /\/karmada-es-[^/]+\/works\?(?!.*watch=)/, // what a federation has put there and is to keep
  /\/services\/karmada-apiserver$/, // its node port
  /\/nodes\?/, // its address
]

export const isVerification = ({ method, url }) => {
  if (method === 'GET') return !neededReads.some(read => read.test(url))
  return /\/selfsubject\w+reviews/.test(url) || /[?&]dryRun=All/.test(url)
}

export function countOf(requests) {
  const verification = requests.filter(isVerification).length
  return { all: requests.length, verification, work: requests.length - verification }
}
