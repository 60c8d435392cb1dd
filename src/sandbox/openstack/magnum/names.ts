import { randomInt } from 'node:crypto'

const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega'.split(
    ' ',
  )

/** A name for an object created without one: `upsilon-17-template`. */
export const randomName = (suffix: string): string => `${greek[randomInt(greek.length)]}-${randomInt(1, 25)}-${suffix}`
