#!/usr/bin/env node
// Guards the version before anything newer is parsed, then hands over.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`coe: Node.js 20.19 or newer is needed; this is ${process.version}\n`)
  process.exitCode = 1
} else {
  require('../dist/launch.cjs')
    .run(require('node:path').join(__dirname, '../dist'))
    .then(code => {
      process.exitCode = code
    })
}
