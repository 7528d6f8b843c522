import { Command } from 'commander'
import { expect, it } from 'vitest'
import { fileFault } from './files/file-fault.ts'
import { usageFault } from './usage-fault.ts'

it('describes usage errors in both languages', () => {
  const all = [
    ['lst'],
    ['list'],
    ['list', 'A', 'B'],
    ['list', 'A', '--sise', '5'],
    ['list', 'A', '--size'],
    ['completion', 'tcsh'],
    [],
  ]
  expect(all.map((args) => formatUsageFault(args, 'zh-CN'))).toEqual([
    '没有命令 lst （是 list 吗？）',
    '缺少参数 tag',
    '参数过多',
    '没有选项 --sise （是 --size 吗？）',
    '选项 --size <n> 缺少值',
    'shell 不能是 tcsh，可以是 bash, zsh',
    '请给出命令',
  ])
  expect(all.map((args) => formatUsageFault(args, 'en'))).toEqual([
    'There is no command lst (did you mean list?)',
    'tag is missing',
    'Too many arguments',
    'There is no option --sise (did you mean --size?)',
    'Option --size <n> needs a value',
    'shell cannot be tcsh; it can be bash, zsh',
    'Which command?',
  ])
})

it('describes file errors without the codes of the system', () => {
  for (const code of ['ENOENT', 'EACCES', 'EISDIR', 'ENOSPC', 'EIO', undefined])
    expect(fileFault('en', Object.assign(new Error('x'), { code }))).not.toMatch(/E[A-Z]{3,}|^$/)
})

/** Runs a sample program and returns the message for its usage error. */
function formatUsageFault(args: readonly string[], locale: 'zh-CN' | 'en') {
  const program = new Command('jiaowu')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
  program
    .command('list <tag>')
    .exitOverride()
    .allowExcessArguments(false)
    .option('--size <n>')
    .action(() => undefined)
  program
    .command('completion')
    .exitOverride()
    .addArgument(program.createArgument('<shell>').choices(['bash', 'zsh']))
    .action(() => undefined)
  try {
    program.parse([...args], { from: 'user' })
  } catch (error) {
    return usageFault(locale, (error as Error).message)
  }
  return null
}
