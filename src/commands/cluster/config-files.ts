/** Writes the files of `cluster config`: readable only by their owner, never incomplete, and replaced only with --force. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type CoeError, conflict, errorCode, failed } from '../../core/errors.ts'
import { writeAtomic } from '../../core/files.ts'
import type { ClusterAccess } from '../../model/cluster-access.ts'

const exists = (path: string): CoeError =>
  conflict(`file ${path} exists`, {
    hint: '--force overwrites it; --dir chooses another folder',
    details: { file: path },
  })

/** Called before any request to the cloud. */
export async function refuseExisting(dir: string, files: readonly string[], force: boolean): Promise<void> {
  const there = await stat(dir).catch(() => undefined)
  if (files.length > 0 && there && !there.isDirectory()) {
    throw conflict(`${dir} is a file, not a folder`, { hint: '--dir chooses another folder', details: { file: dir } })
  }
  if (force) return
  for (const file of files) {
    const path = join(dir, file)
    if (await stat(path).catch(() => undefined)) throw exists(path)
  }
}

export async function writeOwn(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeAtomic(path, text, { exclusive: !force })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST' && !force) throw exists(path)
    throw failed(`cannot write ${path} (${code ?? (error as Error).message})`, {
      hint: 'choose a folder that you may write to with --dir, or print it with --stdout',
      cause: error,
      details: { file: path, code },
    })
  }
}

export const certificateFiles = ['key.pem', 'cert.pem', 'ca.pem'] as const

/** Writes the key, the certificate and the CA if they exist, under the openstack client's names. */
export async function writeCertificates(dir: string, access: ClusterAccess, force: boolean): Promise<void> {
  const texts = [access.certificate?.key, access.certificate?.pem, access.ca]
  for (const [i, file] of certificateFiles.entries()) {
    const text = texts[i]
    if (text !== undefined) await writeOwn(join(dir, file), text, force)
  }
}
