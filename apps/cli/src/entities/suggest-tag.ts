import { findNearest } from '@jiaowu/api/fields/no-choice'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import { loadEntityTags } from './entity-tags.ts'

/**
 * A call was answered with 404: when its tag is none of those that the caller may see, the refusal names the tag that
 * was probably meant. @throws CommandError (refused)
 */
export async function refuseUnknownTag(line: CommandLine, tag: string): Promise<void> {
  const known = await loadEntityTags(connect(line).api, line.signal)
  if (known.some((each) => each.tag === tag)) return
  const names = known.flatMap((each) => [
    { id: each.tag, name: each.tag },
    { id: each.tag, name: each.name },
  ])
  const meant = findNearest(tag, names)
  const suggestion =
    meant === null ? [] : [t(line.locale, 'cli.use.suggestion', { words: meant.id })]
  throw new CommandError(
    exitCodes.refused,
    [t(line.locale, 'cli.noEntity', { tag }), ...suggestion].join(' '),
  )
}
