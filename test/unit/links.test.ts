/** Relative links of the documentation lead to files that exist, and to headings that they have. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const pages = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(name => join('docs', name)),
].filter(name => name.endsWith('.md'))

/** As forges make them: lower case, punctuation dropped, blanks as dashes. */
const anchor = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, 'code')

const anchorsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(m => anchor((m[1] as string).replaceAll('`', '')))

function broken(page: string): string[] {
  const file = join(root, page)
  const links = [...prose(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(m => m[1] as string)
  return links.filter(link => {
    if (/^[a-z]+:/.test(link)) return false
    const [path = '', heading] = link.split('#')
    const target = path === '' ? file : resolve(dirname(file), path)
    if (!existsSync(target)) return true
    return heading !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(heading)
  })
}

it('finds pages to check', () => {
  expect(pages).toContain('README.md')
  expect(pages.length).toBeGreaterThan(10)
})

it.each(pages)('%s has no link that leads nowhere', page => {
  expect(broken(page)).toEqual([])
})
