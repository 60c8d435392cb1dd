export interface Asked {
  method: string
  url: string
}
export function isVerification(request: Asked): boolean
export function countOf(requests: readonly Asked[]): { all: number; verification: number; work: number }
