/**
 * Updates templates. Of a template in use, Magnum accepts changes of name, `public: true`, `hidden` and tags, only one of them in a
 * request, and refuses even changes without effect. So a refused change is sent again field by field, without fields that have the
 * value already, if all of its fields can be changed.
 */

import { isDeepStrictEqual } from 'node:util'
import { CoeError, conflict } from '../../core/errors.ts'
import { stringifyExact } from '../../core/exact-json.ts'
import { allAdvice } from '../../core/next-step.ts'
import type { LabelChange, PatchOperation } from '../../model/change.ts'
import type { ClusterTemplate, Labels } from '../../model/cluster.ts'
import type { TemplateChange } from '../../model/template-request.ts'
import { jsonPatch } from '../../openstack/magnum-api/json-patch.ts'
import { getTemplate, patchTemplate } from '../../openstack/magnum-api/templates.ts'
import type { Service } from '../../openstack/service.ts'
import { encodePatch, labelOperations } from '../encode.ts'
import { templateFields } from './encode.ts'

export async function updateTemplate(service: Service, ref: string, change: TemplateChange): Promise<ClusterTemplate> {
  const labels = await labelEdits(change.labels, async () => (await getTemplate(service, ref)).labels ?? {})
  const edits = [...encodePatch(change, templateFields), ...labels]
  try {
    return await patchTemplate(service, ref, jsonPatch(edits))
  } catch (error) {
    if (!isInUse(error)) throw error
    return oneByOne(service, ref, edits, error as CoeError)
  }
}

export const isInUse = (error: unknown): boolean =>
  error instanceof CoeError &&
  error.details.status === 400 &&
  /is referenced by one or multiple clusters/.test(String(error.details.reason))

async function oneByOne(
  service: Service,
  ref: string,
  edits: readonly PatchOperation[],
  refusal: CoeError,
): Promise<ClusterTemplate> {
  let template = await getTemplate(service, ref)
  const pending = edits.filter(e => !isApplied(template, e))
  const frozen = pending.filter(e => !changeable(e)).map(e => e.path)
  if (frozen.length || (pending.length === 1 && edits.length === 1)) {
    throw conflict(
      `cluster template "${ref}" is in use: its ${frozen.join(', ') || edits[0]?.path} can no longer be changed`,
      {
        hint: `only its name, tags, --hidden/--visible and --public can; for anything else create another template`,
        cause: refusal,
        details: refusal.details,
      },
    )
  }
  const done: string[] = []
  for (const edit of pending) {
    try {
      // by uuid, since one of the fields may be the name
      template = await patchTemplate(service, template.uuid, jsonPatch([edit]))
      done.push(edit.path)
    } catch (error) {
      if (!done.length || !(error instanceof CoeError)) throw error
      throw new CoeError(error.outcome, `${error.message}; ${done.join(', ')} had already been changed`, {
        ...allAdvice(error),
        cause: error,
        details: { ...error.details, changed: done },
      })
    }
  }
  return template
}

function changeable({ op, path, value }: PatchOperation): boolean {
  if (path === 'public') return value === true
  return ['name', 'hidden', 'tags'].includes(path) && op !== 'remove'
}

function isApplied(template: ClusterTemplate, { op, path, value }: PatchOperation): boolean {
  const [field = '', key] = path.split('/')
  const now = key === undefined ? template[field] : template.labels?.[key]
  if (op === 'remove') return now === null || now === undefined
  if (path === 'labels') return isDeepStrictEqual(now ?? {}, JSON.parse(String(value)))
  return String(now ?? '') === String(value)
}

const pathKey = /^[\w-]+$/

/** Changes single labels: by key if a path can contain it, otherwise by replacing the complete dictionary. */
async function labelEdits(change: LabelChange, current: () => Promise<Labels>): Promise<PatchOperation[]> {
  const keys = [...Object.keys(change.set), ...change.unset]
  if (keys.length === 0) return []
  if (keys.every(key => pathKey.test(key))) return labelOperations(change)
  const labels: Labels = { ...(await current()), ...change.set }
  for (const key of change.unset) delete labels[key]
  // as text: the server refuses a dictionary as an object
  return [{ op: 'replace', path: 'labels', value: stringifyExact(labels) }]
}
