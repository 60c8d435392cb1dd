/** A federation: clusters under one API, which lives in one of them, the host. */

import type { NextStep } from '../core/next-step.ts'
import type { MemberRequest } from './member-request.ts'

export interface UnfinishedChange {
  verb: 'create' | 'update' | 'delete' | 'join' | 'unjoin'
  /** By their names in the federation. */
  members?: string[]
  /** It deletes something, or leaves something behind for good: to be confirmed. */
  deletes?: boolean
}

export interface Federation {
  uuid: string
  name: string | null
  project_id: string | null
  hostcluster_id: string | null
  /** Known where the mode can tell it without another request. */
  hostcluster_name?: string | null
  member_ids: string[]
  member_names?: string[]
  status: string | null
  status_reason: string | null
  /** What to run about its status. */
  next?: readonly NextStep[]
  properties: Record<string, string>
  /** Standalone: which driver made it, and will always handle it. */
  driver?: string
  driver_version?: string
  /** Standalone: its engine's, as they can be given again; and where and how it is reached. */
  settings?: Readonly<Record<string, unknown>>
  namespace?: string
  /** Of its API, where somebody asked for it and may see it. */
  api_address?: string | null
  context_name?: string
  /** What was asked of it and is not done, where nobody is at work on it: `coe federation resume` does the rest. */
  unfinished?: UnfinishedChange[]
  /** What was said of each member when it joined. */
  joined?: MemberRequest[]
  created_at: string | null
  updated_at: string | null
  links?: { rel: string; href: string }[]
}
