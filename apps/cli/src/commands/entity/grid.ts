import { openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { t } from '@jiaowu/api/texts/index'
import { parseBlock } from '@jiaowu/machines/grid-edit/clipboard/clipboard'
import type { CommandLine } from '../../command-line.ts'
import { buildTypedQuery } from '../../entities/entity-query.ts'
import { viewNamed } from '../../entities/entity-view.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { readStdin } from '../../files/text-file.ts'
import { loadScreen } from '../../screens/load-screen.ts'
import { connect } from '../../session/connect.ts'
import type { QueryFlags } from './read.ts'

interface GridFlags extends QueryFlags {
  readonly paste?: boolean
}

/**
 * `entity grid TAG`: the rows as a spreadsheet. With `--paste` the standard input holds a block of
 * cells for the clipboard of the grid; the keys then come from the terminal itself.
 */
export async function editGrid(line: CommandLine, tag: string, flags: GridFlags): Promise<void> {
  const { locale, signal } = line
  const keys = flags.paste === true ? terminalKeys() : process.stdin
  if (keys === null || (flags.paste !== true && !line.interactive))
    throw new CommandError(exitCodes.usage, t(locale, 'cli.needTerminal'))
  const copied = flags.paste === true ? parseBlock(await readStdin(line.locale)) : null
  const connection = connect(line)
  const { api } = connection
  const [config, resources] = await Promise.all([
    api.entityData.config({ params: { tag }, signal }),
    api.session.resources({ signal }),
  ])
  const codes = resources.map(({ code }) => code)
  const rights = {
    mayEdit: may(codes, entityPermission(tag, 'update')),
    mayAdd: may(codes, entityPermission(tag, 'add')),
  }
  if (!rights.mayEdit && !rights.mayAdd)
    throw new CommandError(exitCodes.refused, t(locale, 'problem.forbidden'))
  const view = await viewNamed(line, api, tag, flags.view)
  const { queries, sorts, where } = await buildTypedQuery(api, config, flags, view, locale)
  const { openGrid } = await loadScreen(line, () => import('../../screens/grid/open-grid.tsx'))
  const unsaved = await openGrid(line, connection, keys, {
    tag,
    query: { queries, sorts, where: where ?? null },
    columns: flags.columns?.split(',') ?? view?.columns ?? null,
    ...rights,
    copied,
  })
  if (unsaved > 0)
    throw new CommandError(exitCodes.partial, t(locale, 'grid.unsaved', { n: unsaved }))
}

/** The keys of the terminal itself; null without one. */
function terminalKeys(): ReadStream | null {
  try {
    return new ReadStream(openSync('/dev/tty', 'r+'))
  } catch {
    return null
  }
}
