import { describe, expect, it } from 'vitest'
import { runCoe } from '../support/run.ts'

describe('coe without a command', () => {
  // difference: no-cloud-shell
  it('tells what there is on stderr, and that this was no command', async () => {
    const { code, out, err } = await runCoe('')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^usage: coe <command>/)
    expect(err).toContain('cluster …')
  })

  it('is an answer when help was asked for', async () => {
    const { code, out, err } = await runCoe('--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^usage: coe <command>/)
  })

  it('is an object where JSON was asked for', async () => {
    for (const [line, message] of [
      ['-f json', 'coe needs a command'],
      ['cluster template -f json', '"coe cluster template" needs one of its commands'],
    ]) {
      const { code, out, err } = await runCoe(line as string)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(JSON.parse(err).error).toMatchObject({ code: 'usage', message })
    }
  })

  it('tells the commands of a group', async () => {
    const { code, err } = await runCoe('federation')
    expect(code).toBe(2)
    for (const verb of ['create', 'delete', 'update', 'list', 'show', 'join', 'unjoin']) expect(err).toContain(verb)
  })
})

describe('help for somebody who has just come', () => {
  const lines = async (line: string) => {
    const { code, out, err } = await runCoe(line, { tty: true, columns: 80, env: { NO_COLOR: '1' } })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return out.split('\n')
  }

  it.each(['--help', 'federation --help', 'federation create --help', 'help options', 'help topics', 'driver init -h'])(
    'coe %s fits a terminal of 80 columns',
    async line => {
      const text = await lines(line)
      expect(text.length).toBeGreaterThan(5)
      // a term that is longer than its column, and examples that are to be copied, stay whole
      const long = text.filter(l => l.length > 80 && !/^ {2}(--|coe |kubectl )/.test(l))
      expect(long).toEqual([])
    },
  )

  it('begins with lines to type', async () => {
    expect((await lines('--help')).join('\n')).toContain('coe sandbox shell')
    expect((await lines('federation -h')).join('\n')).toContain('coe --standalone federation join myfed c2 c3')
  })

  it('of a command has what is its own, with both names of an option, and its mode once', async () => {
    const text = (await lines('federation create -h')).join('\n')
    expect(text).toContain('--hostcluster, --host <cluster>')
    expect(text).toContain('Of driver karmada_v1 (standalone mode)\n')
    expect(text).not.toContain('--os-auth-url')
    expect(text).toContain('coe help options')
    expect((await lines('help options')).join('\n')).toContain('--os-auth-url')
  })
})

describe('where an error comes from', () => {
  it.each(['--debug', '--trace', '-vv', '-v -v', '-v --verbose'])('is shown by %s', async level => {
    expect((await runCoe(`cluster ${level} lst`)).err).toMatch(/^ {4}at /m)
  })

  it('is not shown by -v alone', async () => {
    expect((await runCoe('cluster -v lst')).err).not.toMatch(/^ {4}at /m)
  })
})

describe('--version', () => {
  it.each(['--version', '--version cluster list', 'cluster delete precious --version'])('coe %s', async line => {
    const { code, out, err } = await runCoe(line)
    expect(out).toMatch(/^coe \d+\.\d+\.\d+\S*\n$/)
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})

describe('words that are no command', () => {
  const hintOf = async (line: string) => {
    const { code, out, err } = await runCoe(line)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    return err
  }

  it.each([
    ['clutser list', 'did you mean "cluster"?'],
    ['cluster lst', 'did you mean "list"?'],
    ['template list', 'did you mean "cluster template"?'],
    ['resize c1 3', 'did you mean "cluster resize"?'],
  ])('coe %s: %s', async (line, hint) => {
    expect(await hintOf(line)).toContain(`hint: ${hint}`)
  })

  it('an option that coe does not have is told, not the value behind it', async () => {
    const compute = await hintOf('--os-compute-api-version 2.1 cluster list')
    expect(compute).toContain('unknown option "--os-compute-api-version"')
    expect(compute).toContain('omit it')
    const oidc = await hintOf('cluster list --os-identity-provider corp')
    expect(oidc).toMatch(
      /unknown option "--os-identity-provider" of "coe cluster list"\nhint: .*application credential/,
    )
    const own = await hintOf('--cluster-template k8s cluster create c1')
    expect(own).toMatch(/unknown option "--cluster-template"\nhint: put the options of a command after/)
    const misspelt = await hintOf('--os-passwrd x cluster list')
    expect(misspelt).toMatch(/unknown option "--os-passwrd"\nhint: did you mean "--os-password"\?/)
    expect(await hintOf('--formt json cluster list')).toContain('did you mean "--format"?')
  })

  // difference: whole-options
  it('options are not guessed from their beginning', async () => {
    expect(await hintOf('cluster list --sort-k name')).toMatch(
      /unknown option "--sort-k".*\nhint: did you mean "--sort-key"/,
    )
  })
})
