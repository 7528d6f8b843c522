import type { Button } from '@jiaowu/api/entity/definition/button'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import { t } from '@jiaowu/api/texts/index'
import type { UserInfo } from '@jiaowu/api/contract/session'
import { shownButtons } from '@jiaowu/machines/buttons/view'
import type { CommandLine } from '../command-line.ts'
import { CommandError, exitCodes } from '../exit.ts'

const { row: rowButton, editToolbar, detailToolbar } = buttonPositions

/** Buttons that act on one record: beside its row, above its form, above its details. */
export function recordButtons({ buttons }: EntityConfig): readonly Button[] {
  const positions: readonly number[] = [rowButton, editToolbar, detailToolbar]
  return buttons.filter(({ position }) => positions.includes(position))
}

/**
 * The button of a record by its code or its label, among those whose expression shows them for this
 * record and user.
 * @throws CommandError when there is none (refused), or when several share the label (usage)
 */
export function buttonNamed(
  { locale, output }: CommandLine,
  config: EntityConfig,
  row: Row,
  user: UserInfo,
  wanted: string,
): Button {
  const onHidden = (code: string, error: unknown) => output.talk(`${code}: ${String(error)}`)
  const shownIn = (mode: 'view' | 'edit', positions: readonly Button['position'][]) =>
    shownButtons(config, positions, { row, user: { ...user }, mode }, onHidden, null)
  const shown = [...shownIn('view', [rowButton, detailToolbar]), ...shownIn('edit', [editToolbar])]
  const byCode = shown.find(({ code }) => code === wanted)
  const found = byCode === undefined ? shown.filter(({ name }) => name === wanted) : [byCode]
  const [button] = found
  if (button === undefined)
    throw new CommandError(
      exitCodes.refused,
      t(locale, 'cli.press.none', {
        button: wanted,
        known: shown.map(({ code, name }) => `${code} (${name})`).join(', ') || '-',
      }),
    )
  if (found.length > 1)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.press.ambiguous', {
        name: wanted,
        codes: found.map(({ code }) => code).join(', '),
      }),
    )
  return button
}
