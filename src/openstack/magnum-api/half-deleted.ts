/**
 * While Magnum deletes a cluster, it deletes the groups first. For a moment the cluster has no masters, which Magnum's
 * own rules forbid: it then answers reads of the cluster, and of every list that includes it, with a 400.
 */
import { CoeError } from '../../core/errors.ts'
import { systemClock } from '../../core/time.ts'
import type { Service } from '../service.ts'

const pausesMs = [150, 300, 600, 1_200, 2_400]

export async function retryHalfDeleted<T>({ signal }: Pick<Service, 'signal'>, read: () => Promise<T>): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await read()
    } catch (error) {
      if (!isHalfDeleted(error)) throw error
      await systemClock.sleep(pause, signal)
    }
  }
  return read()
}

const isHalfDeleted = (error: unknown): boolean =>
  error instanceof CoeError &&
  error.details.status === 400 &&
  /field\/attribute master_count\. Value: '0'/.test(String(error.details.reason))
