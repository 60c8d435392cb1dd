/** Commands about coe itself: its login, its settings and its problems. */
import type { Entry, Group } from '../cli/tree.ts'

export const setupGroups: readonly Group[] = [
  { words: 'auth', summary: 'Logins: tokens, users, roles' },
  { words: 'config', summary: 'Settings, and where they come from' },
]

export const setupEntries: readonly Entry[] = [
  {
    words: 'auth login',
    summary: 'Get a new token and save it',
    load: async () => (await import('./auth/login.ts')).authLogin,
  },
  {
    words: 'auth logout',
    summary: 'Delete the saved token',
    load: async () => (await import('./auth/logout.ts')).authLogout,
  },
  {
    words: 'auth status',
    summary: 'Show your user and roles in the cloud',
    load: async () => (await import('./auth/status.ts')).authStatus,
  },
  {
    words: 'config view',
    summary: 'Show every setting in effect',
    load: async () => (await import('./config/view.ts')).configView,
  },
  {
    words: 'doctor',
    summary: 'Find problems, and say how to fix them',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  {
    words: 'version',
    summary: 'Show the version',
    load: async () => (await import('./version/version.ts')).version,
  },
]
