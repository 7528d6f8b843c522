// npm start: checks the version of Node, then runs start.ts. Old syntax without static imports,
// so that Nodes from 10 on can parse the file and report what is missing. Running TypeScript
// without a flag needs 22.18.
var required = [22, 18]
var current = process.versions.node.split('.').map(Number)
if (current[0] < required[0] || (current[0] === required[0] && current[1] < required[1])) {
  process.stderr.write(
    'npm start needs Node.js ' +
      required.join('.') +
      ' or later, this is ' +
      process.version +
      '.\n',
  )
  process.exitCode = 2
} else {
  leaveOptimisingCompilerOut()
  import('./start.ts')
}

// For the embedded database V8's optimising compiler takes 600 MB, and makes little faster
// (docs/operations.md#memory-of-the-embedded-database). V8 takes this only from a command line, so
// the process starts anew under its id, once and before it has done anything.
function leaveOptimisingCompilerOut() {
  var isDecided = /--(no-)?liftoff-only/.test(process.execArgv.join(' '))
  if (process.env.DATABASE_URL || isDecided || !process.execve || process.platform === 'win32')
    return
  process.execve(
    process.execPath,
    [process.execPath, '--liftoff-only'].concat(process.execArgv, process.argv.slice(1)),
    process.env,
  )
}
