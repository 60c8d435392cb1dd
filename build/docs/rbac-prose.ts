/** The text of docs/rbac.md between its tables. */
export const rbacProse = {
  start: `# Rights

This page lists the RBAC rights that you need on the host and on the members of a federation (standalone mode). \`create\`, \`join\` and
\`delete\` check these rights before they write anything, and name each that is missing. A test runs all verbs on real servers with exactly
the roles below. An administrator (\`cluster-admin\`) needs none of them.

In the federation's own API you need no role to run coe: its administrator's certificate is in a Secret on the host. Therefore **every user
who can read Secrets in a federation's namespace is its administrator**, and can do everything on its members through it.`,

  host: `## On the host

[rbac/host.yaml](rbac/host.yaml) has these rights as ClusterRoles; they take effect where you bind them.

\`\`\`sh
kubectl --context c1 apply -f docs/rbac/host.yaml
\`\`\`

A user who creates federations needs all of them. coe makes a namespace for each federation (\`coe-fed-NAME\`); no role can say "in namespaces
that I made", so bind the roles for all namespaces.

\`\`\`sh
for role in coe-look coe-manage coe-own coe-host coe-namespaces coe-find; do
  kubectl --context c1 create clusterrolebinding jane-$role --clusterrole $role --user jane
done
\`\`\`

To grant less, make the namespace for the user, and bind the roles in it. The user then creates the federation with \`--adopt\`, cannot change
anything elsewhere, and deletes all but the namespace.

\`\`\`sh
kubectl --context c1 create namespace coe-fed-myfed
for role in coe-look coe-manage coe-own; do
  kubectl --context c1 create rolebinding jane-$role --clusterrole $role --user jane --namespace coe-fed-myfed
done
kubectl --context c1 create clusterrolebinding jane-coe-host --clusterrole coe-host --user jane
\`\`\`

A user who only works with a federation needs \`coe-look\`, or \`coe-look\` and \`coe-manage\`, in its namespace. Without \`coe-find\`, coe finds a
federation by the context that leads to it, by \`--host\`, and in \`coe-fed-NAME\` or the namespace that \`--namespace\` names.`,

  hostEnd: `Verbs and roles:

| verb | roles |
|---|---|
| \`federation list\` | \`coe-find\`, \`coe-look\` |
| \`federation show\`, \`status\`, \`members\`, \`wait\` | \`coe-look\` |
| \`federation join\`, \`unjoin\`, \`update\`, \`kubeconfig\` | \`coe-look\`, \`coe-manage\` |
| \`federation create\`, \`delete\` | \`coe-look\`, \`coe-manage\`, \`coe-own\`, \`coe-host\`, and \`coe-namespaces\` or \`--adopt\` |

\`create\` needs the rights of \`delete\` as well: a user who creates a federation must be able to delete it.

On the host coe makes only one role, \`coe-marks-NAMESPACE\`. It lets the group \`coe:marks\` read the ConfigMaps \`coe-federation\` and
\`coe-membership\`, and nothing else. With a certificate of that group, \`coe cluster delete\` sees whether a federation needs the cluster. If
you have no right to make the role, coe does without it, and a deletion then says that it could not check (\`--strict\` refuses it). \`federation delete\` removes the
role, also with \`--keep-data\`. Federations that an older coe made do not have the role; an administrator can make it by hand.`,

  member: `## On a member

A join makes an account for the federation on the member and gives it **all rights**, because the federation puts workloads of any kind
there, including their roles. Kubernetes lets no user grant rights beyond their own, except with \`escalate\` (write any role) and \`bind\`
(grant any role). A user who can let a cluster join could therefore become its administrator: the roles below are exact, but in effect no
less than \`cluster-admin\`. Give them only to users whom you would give \`cluster-admin\`.

[rbac/member.yaml](rbac/member.yaml) has these roles; \`MEMBER\` is the cluster's name in the federation.

\`\`\`sh
sed s/MEMBER/c2/ docs/rbac/member.yaml | kubectl --context c2 apply -f -
kubectl --context c2 create clusterrolebinding jane-coe-member --clusterrole coe-member --user jane
kubectl --context c2 create rolebinding jane-coe-member --role coe-member --user jane --namespace kube-system
\`\`\``,

  memberEnd: `The account's namespace comes with the join and goes with the unjoin, so the rights on ServiceAccounts and Secrets apply in all namespaces.
The member's own garbage collector removes the rest, because everything is owned by the one ClusterRole.

An unjoin needs fewer rights. Without a context for the member, coe uses the federation's own account, and you need no rights on the member.
coe also uses that account to remove the federation's marks from workloads that stay, where you have no right to change them.

| verb | roles |
|---|---|
| \`federation join\` | ClusterRole and Role \`coe-member\` |
| \`federation unjoin\`, \`delete --unjoin\` | ClusterRole \`coe-member\`; none where there is no context for the member |
| \`federation unjoin --force\` | none |`,
}
