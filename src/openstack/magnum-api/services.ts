/** /v1/mservices: Magnum's own processes. Has no parameters and no pages. */
import { list, object } from '../../core/shape.ts'
import type { Service as MagnumService } from '../../model/administration.ts'
import type { Service } from '../service.ts'
import { serviceShape } from './shapes.ts'

export const listServices = async (service: Service): Promise<MagnumService[]> => {
  const answer = await service.json<{ mservices: MagnumService[] }>({
    method: 'GET',
    path: '/mservices',
    expects: object({ mservices: list(serviceShape) }),
  })
  return answer.mservices
}
