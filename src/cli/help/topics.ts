/** `coe help <topic>`: help beyond single commands, printed in terminals and in docs/reference. */
import { cloudOptions } from '../../config/clouds/cloud-options.ts'
import { settingSpecs } from '../../config/settings.ts'
import { exitCodes, exitMeanings, type Outcome } from '../../core/errors.ts'

export interface Topic {
  readonly name: string
  readonly summary: string
  text(): string
}

const lines = (...all: string[]): string => all.join('\n')

const pairs = (rows: readonly (readonly [string, string])[]): string => {
  const widest = Math.max(...rows.map(([term]) => term.length))
  return rows.map(([term, text]) => `  ${term.padEnd(widest)}  ${text}`).join('\n')
}

const exitCodeRows = Object.entries(exitMeanings).map(([outcome, meaning]): [string, string] => [
  String(exitCodes[outcome as Outcome]),
  meaning,
])

export const topics: readonly Topic[] = [
  {
    name: 'exit-codes',
    summary: 'what the exit status of coe means',
    text: () =>
      lines(
        'Every command exits with one of these codes. They are part of the contract: scripts may test them.',
        '',
        pairs(exitCodeRows),
      ),
  },
  {
    name: 'environment',
    summary: 'environment variables that coe reads',
    text: () =>
      lines(
        'An option takes precedence over its variable, and a variable over the files. Empty is the same as unset.',
        '',
        pairs([
          ...settingSpecs.flatMap((s): [string, string][] => ('env' in s && s.env ? [[s.env, s.doc]] : [])),
          ['COE_CONFIG', "coe's own settings file (default: config.yaml in COE_CONFIG_DIR)"],
          ['COE_CONFIG_DIR', 'folder of config.yaml (default: $XDG_CONFIG_HOME/coe, else ~/.config/coe)'],
          ['COE_CACHE_DIR', 'folder of tokens and downloads (default: $XDG_CACHE_HOME/coe, else ~/.cache/coe)'],
          ['COE_STATE_DIR', 'folder of the local index (default: $XDG_STATE_HOME/coe, else ~/.local/state/coe)'],
          ['KUBECONFIG', 'kubeconfig files, as for kubectl'],
          ['OS_CLIENT_CONFIG_FILE', 'clouds.yaml to read first'],
          ['OS_CLIENT_SECURE_FILE', 'secure.yaml to read first'],
          ...cloudOptions.map((o): [string, string] => [o.env, o.help]),
          [
            'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY',
            'HTTP proxies, in either case; USER:PASSWORD@ before the host logs in to one',
          ],
          [
            'REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE, SSL_CERT_FILE',
            'authorities of the cloud when no cacert is given; the first that is set',
          ],
          ['NODE_EXTRA_CA_CERTS', 'more authorities to trust, for every server that has no authorities of its own'],
          ['CLIFF_MAX_TERM_WIDTH, CLIFF_FIT_WIDTH', 'as --max-width and --fit-width'],
          ['COE_PAGER, PAGER', 'pager for long output at a terminal; COE_PAGER= (empty): none'],
          ['NO_COLOR, FORCE_COLOR, TERM=dumb', 'colour'],
          ['CI', 'if set: no questions, no spinner'],
        ]),
      ),
  },
  {
    name: 'output',
    summary: 'formats, columns, and what goes where',
    text: () =>
      lines(
        'stdout carries only the result; progress, notes, warnings and errors go to stderr.',
        '',
        pairs([
          ['-f table', 'bordered, for people and for scripts that parse it; colour and fitting only on a terminal'],
          ['-f json', 'a contract: coe only ever adds fields; nulls are null, numbers are numbers'],
          ['-f yaml, csv, value, shell', 'the same as the openstack client prints them'],
          ['-f wide', 'a table with more columns, never cut'],
          ['-f name', 'one name (or identifier) per line'],
        ]),
        '',
        '-o is the same as -f. -c COLUMN chooses columns; repeat it. A command that prints a sentence (create, delete, …)',
        'prints its object instead with -f or -c, and the sentence on stderr. With -f json errors are objects too:',
        '',
        '  {"error": {"code": "notFound", "exit_code": 3, "message": "…", "hint": "…", "request_id": "…"}}',
      ),
  },
  {
    name: 'modes',
    summary: 'Magnum mode and standalone mode, and how coe chooses one',
    text: () =>
      lines(
        'The same commands work in two modes:',
        '',
        pairs([
          ['magnum', "clusters and federations are Magnum's, reached through its REST API"],
          ['standalone', 'clusters are contexts of a kubeconfig; federations are in a host cluster'],
        ]),
        '',
        'The first of these decides: --standalone; --os-cloud or any other --os-* option; COE_MODE; mode: in config.yaml;',
        'magnum if the environment or clouds.yaml names one cloud; else standalone. coe never asks a server for this.',
      ),
  },
  {
    name: 'files',
    summary: 'files that coe reads and writes',
    text: () =>
      lines(
        pairs([
          ['~/.config/coe/config.yaml', "coe's own settings (read)"],
          ['~/.cache/coe/tokens/', 'Keystone tokens, mode 0600 (written; "coe auth logout --all" empties it)'],
          [
            '~/.cache/coe/code/',
            "coe's own code, compiled by Node (written; NODE_DISABLE_COMPILE_CACHE=1 turns this off)",
          ],
          ['~/.cache/coe/names/', 'names for completion, for half a minute (written)'],
          ['~/.cache/coe/karmada-crds-*.tar.gz', 'definitions of the engine, verified by digest (written)'],
          [
            '~/.local/state/coe/federations.json',
            'which host has which federation (written; you can delete it safely)',
          ],
          ['~/.local/state/coe/sandbox.json', 'the sandbox that runs in the background (written)'],
          ['clouds.yaml, secure.yaml', 'in ., ~/.config/openstack, /etc/openstack: the first of each that can be read'],
          ['~/.kube/config', 'or the files of KUBECONFIG (read; written by --merge and federation create)'],
        ]),
        '',
        'Any of them may be missing or read-only; coe then works without it, or says what it cannot do.',
        'coe uses a file under ~/.cache/coe and ~/.local/state/coe only if it is a regular file of yours, nobody else may write',
        'it or its folder, and it has the form that coe writes. It ignores others; "coe doctor" names them.',
        '',
        'Settings in config.yaml:',
        '',
        pairs(settingSpecs.map((s): [string, string] => [s.key, s.doc])),
      ),
  },
]
