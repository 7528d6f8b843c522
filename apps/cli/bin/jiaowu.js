#!/usr/bin/env node
// Checks the version of Node, then runs the command. Old syntax without static imports, so that
// Nodes from 10 on can parse the file and report what is missing, as a script and as a module.
var required = [22, 18]
var current = process.versions.node.split('.').map(Number)
if (current[0] < required[0] || (current[0] === required[0] && current[1] < required[1])) {
  process.stderr.write(
    'jiaowu needs Node.js ' + required.join('.') + ' or later, this is ' + process.version + '.\n',
  )
  process.exitCode = 2
} else {
  import('./run.js')
}
