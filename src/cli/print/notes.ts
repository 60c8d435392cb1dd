/** The wording of what a change reports besides its result. */
import type { NextStep } from '../../core/next-step.ts'
import type { FederationNote, MemberNote } from '../../model/notes.ts'
import { holdingsText } from './holdings.ts'
import { planText } from './plan-text.ts'

export interface WordedNote {
  text: string
  next?: readonly NextStep[]
}

export function federationNote(note: FederationNote): WordedNote {
  switch (note.kind) {
    case 'plan':
      return { text: planText(note.view, note.also) }
    case 'complete':
      return {
        text:
          note.result === 'unchanged'
            ? `Federation ${note.name} exists already (${note.uuid}): unchanged`
            : `Federation ${note.name} is ${note.result} on host "${note.host}": its API is ${note.server}`,
      }
    case 'use':
      return { text: '', next: note.next }
    case 'incomplete': {
      const open = note.notStarted.length ? `; still to do: ${note.notStarted.join(', ')}` : ''
      // this must not sound like a success
      const text = `Federation ${note.name} is not ready yet on host "${note.host}"; starting: ${note.pending.join(', ')}${open}`
      return { text, next: note.next }
    }
    case 'updated':
      return { text: `Federation ${note.name} is updated` }
    case 'context-elsewhere':
      return {
        text: `On ${note.machine}, the file ${note.file} still has a context that led to federation ${note.name}: delete it there`,
      }
    case 'context-left':
      return { text: `The context stays in ${note.file}: ${note.reason}` }
    case 'data-kept':
      return {
        text: `Kept on host "${note.host}": namespace ${note.namespace}, with the volumes of its store; a new federation of that name there will use them`,
        next: note.next,
      }
  }
}

export function memberNote(note: MemberNote): WordedNote {
  switch (note.kind) {
    case 'plan':
      return { text: planText(note.view, note.also) }
    case 'holdings':
      return { text: `\n${holdingsText(note.holdings, note.deleted)}` }
    case 'no-context':
      return {
        text: `the kubeconfig has no context "${note.reference}" any more: replace CONTEXT with one that leads to the cluster`,
      }
    case 'context-needed':
      return { text: `kubectl needs a context for ${note.cluster} first`, next: note.next }
    case 'left-behind':
      return { text: `left on ${note.member}: ${note.what}`, next: note.next }
  }
}
