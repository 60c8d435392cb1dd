/** A federation: clusters under one API, which lives in one of them, the host. */

import type { NextStep } from '../core/next-step.ts'
import type { MemberRequest } from './member-request.ts'

export interface UnfinishedChange {
  verb: 'create' | 'update' | 'delete' | 'join' | 'unjoin'
  /** Names of the members in the federation. */
  members?: string[]
  /** It deletes something, or leaves something behind for good, so the user must confirm it. */
  deletes?: boolean
}

export interface Federation {
  uuid: string
  name: string | null
  project_id: string | null
  hostcluster_id: string | null
  /** Present if the backend knows it without another request. */
  hostcluster_name?: string | null
  member_ids: string[]
  member_names?: string[]
  status: string | null
  status_reason: string | null
  /** Commands that help with its status. */
  next?: readonly NextStep[]
  properties: Record<string, string>
  /** Standalone: the driver that made it, and manages it for its lifetime. */
  driver?: string
  driver_version?: string
  /** Standalone: the options of its engine, by name. */
  settings?: Readonly<Record<string, unknown>>
  namespace?: string
  /** Address of its API, if it was requested and the user may read it. */
  api_address?: string | null
  context_name?: string
  /** Unfinished changes that no run is working on: `coe federation resume` finishes them. */
  unfinished?: UnfinishedChange[]
  /** The settings of each member, from when it joined. */
  joined?: MemberRequest[]
  created_at: string | null
  updated_at: string | null
  links?: { rel: string; href: string }[]
}
