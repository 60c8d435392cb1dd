/** The words of docs/rbac.md between its tables. */
export const rbacProse = {
  start: `# Rights

What somebody must be allowed to do on the host and on the members of a federation (standalone mode), in RBAC's words. \`create\`, \`join\`
and \`delete\` ask the cluster for these rights before they write anything, and name each that is missing; a test runs all verbs on real
servers with exactly the roles below. An administrator (\`cluster-admin\`) needs none of this.

In the federation's own API nobody needs a role to run coe: its administrator's certificate is in a Secret on the host. So **whoever may
read Secrets in a federation's namespace is its administrator**, and through it may do everything on its members.`,

  host: `## On the host

[rbac/host.yaml](rbac/host.yaml) has these as ClusterRoles; they take effect where they are bound.

\`\`\`sh
kubectl --context c1 apply -f docs/rbac/host.yaml
\`\`\`

Who makes federations, each in a namespace of its own that coe makes (\`coe-fed-NAME\`): no role can say "in namespaces that I made", so
the user gets them everywhere.

\`\`\`sh
for role in coe-look coe-manage coe-own coe-host coe-namespaces coe-find; do
  kubectl --context c1 create clusterrolebinding jane-$role --clusterrole $role --user jane
done
\`\`\`

Narrower: make the namespace for the user, and bind the user there. The user then creates with \`--adopt\`, may touch nothing elsewhere, and deletes all
but the namespace.

\`\`\`sh
kubectl --context c1 create namespace coe-fed-myfed
for role in coe-look coe-manage coe-own; do
  kubectl --context c1 create rolebinding jane-$role --clusterrole $role --user jane --namespace coe-fed-myfed
done
kubectl --context c1 create clusterrolebinding jane-coe-host --clusterrole coe-host --user jane
\`\`\`

Who only works with a federation gets \`coe-look\` in its namespace, or \`coe-look\` and \`coe-manage\`. Without \`coe-find\`, a
federation is found by the context that leads to it, by \`--host\`, and in \`coe-fed-NAME\` or the \`--namespace\` that is named.`,

  hostEnd: `Verbs and roles:

| verb | roles |
|---|---|
| \`federation list\` | \`coe-find\`, \`coe-look\` |
| \`federation show\`, \`status\`, \`members\`, \`wait\` | \`coe-look\` |
| \`federation join\`, \`unjoin\`, \`update\`, \`kubeconfig\` | \`coe-look\`, \`coe-manage\` |
| \`federation create\`, \`delete\` | \`coe-look\`, \`coe-manage\`, \`coe-own\`, \`coe-host\`, and \`coe-namespaces\` or \`--adopt\` |

\`create\` asks for the rights of \`delete\` as well: who makes something must be able to take it away. Of roles, one alone is made on the
host, \`coe-marks-NAMESPACE\`: it lets the group \`coe:marks\` read the ConfigMaps \`coe-federation\` and \`coe-membership\`, and
nothing else. With a certificate of that group \`coe cluster delete\` sees whether a federation needs the cluster. Who may not make the
role does without: then a deletion says that it did not look. A delete of the federation removes the role, with \`--keep-data\` as well.
Federations that an older coe made have none; an administrator can make it by hand.`,

  member: `## On a member

A join makes an account for the federation on the member and gives it **all rights**: workloads of any kind are put there, with roles
and all. Kubernetes lets no user give rights beyond their own, unless they may \`escalate\` (write any role) and \`bind\` (give any role). So whoever
may let a cluster join could make himself its administrator: the roles below are exact, and in effect no less than \`cluster-admin\`.
Give them to nobody whom you would not give that.

[rbac/member.yaml](rbac/member.yaml) has them; \`MEMBER\` is the cluster's name in the federation.

\`\`\`sh
sed s/MEMBER/c2/ docs/rbac/member.yaml | kubectl --context c2 apply -f -
kubectl --context c2 create clusterrolebinding jane-coe-member --clusterrole coe-member --user jane
kubectl --context c2 create rolebinding jane-coe-member --role coe-member --user jane --namespace kube-system
\`\`\``,

  memberEnd: `The namespace of the account comes with the join and goes with the unjoin, so its ServiceAccounts and Secrets are granted
everywhere. The rest is cleaned up by the member's own garbage collector, as all of it hangs on the one ClusterRole.

To unjoin, less will do: without a context for the member, coe works by the federation's own account, and needs no rights there at all.
That account also takes the federation's marks off workloads that stay, where the person may not change them.

| verb | roles |
|---|---|
| \`federation join\` | ClusterRole and Role \`coe-member\` |
| \`federation unjoin\`, \`delete --unjoin\` | ClusterRole \`coe-member\`; none where there is no context for the member |
| \`federation unjoin --force\` | none |`,
}
