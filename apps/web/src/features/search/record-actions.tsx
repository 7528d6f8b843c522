import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { FoundRecord, RelatedList } from '@jiaowu/api/contract/entity/search'
import type { ButtonEffect } from '@jiaowu/machines/buttons/actions'
import { buttonsView, shownButtons } from '@jiaowu/machines/buttons/view'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import { entityPermission } from '@jiaowu/api/entity/permission'
import { problemText } from '@jiaowu/api/problem'
import type { Row } from '@jiaowu/api/entity/values'
import { useCallback, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { logHidden } from '../../app/log.ts'
import { tellSaved } from '../../app/saved-signal.ts'
import { useText } from '../../app/text-context.ts'
import { useView } from '../../app/use-view.ts'
import { useButtons } from '../entity-form/use-buttons.ts'
import { paths } from '../../paths.ts'
import { Ask } from '../../ui/overlays/ask.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { buildRelatedPath } from '../../app/related-path.ts'
import type { PaletteItem } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'

interface Props {
  readonly record: FoundRecord
  readonly onGo: (path: string) => void
  readonly onLeave: (run: () => void) => void
  readonly onBack: () => void
}
interface Known {
  readonly config: EntityConfig
  readonly row: Row
  readonly related: readonly RelatedList[]
}

/** Actions on a record that was found: opening and editing it, its buttons, and its lists. */
export function RecordActions({ record, onGo, onLeave, onBack }: Props) {
  const { api } = useApi()
  const { t, locale, messageText } = useText()
  const [query, setQuery] = useState('')
  const { tag, id, title } = record
  const { data, problem } = useResource({
    query: { tag, id },
    load: async (at: { tag: string; id: string }, signal): Promise<Known> => {
      const params = { tag: at.tag }
      const [config, row, related] = await Promise.all([
        api.entityData.config({ params, signal }),
        api.entityData.get({ params: at, signal }),
        api.search.related({ params, signal }),
      ])
      return { config, row, related }
    },
  })
  const actor = useButtons(
    tag,
    useCallback(
      (effect: ButtonEffect) => {
        if (effect.type === 'refresh') tellSaved(tag)
        if (effect.type === 'open' || effect.type === 'message') onLeave(() => undefined)
      },
      [onLeave, tag],
    ),
  )
  const press = useView(actor, buttonsView)
  const items = useActionItems(record, data, onGo, (code) => {
    const button = data?.config.buttons.find((each) => each.code === code)
    if (button !== undefined && data !== null)
      actor.send({ type: 'button.press', button, row: data.row })
  })
  const fault = problem ?? press.problem
  return (
    <>
      <PaletteList
        label={t('shell.palette.actionsOf', { title })}
        placeholder={t('shell.palette.actionsOf', { title })}
        query={query}
        onQuery={setQuery}
        items={items.filter(({ text }) => text.toLowerCase().includes(query.trim().toLowerCase()))}
        isBusy={data === null && problem === null}
        heads={{ actions: title, records: t('shell.palette.related') }}
        onBack={onBack}
        note={
          <p className="jw-palette__foot" role={fault === null ? undefined : 'alert'}>
            {fault === null ? t('shell.palette.backKeys') : problemText(locale, fault)}
          </p>
        }
      />
      <Ask
        isOpen={press.step === 'asking'}
        text={press.question === null ? '' : messageText(press.question)}
        {...(press.pressed === null ? {} : { confirmText: press.pressed.name })}
        onAnswer={(yes) => actor.send({ type: yes ? 'press.confirm' : 'press.cancel' })}
      />
    </>
  )
}

function useActionItems(
  { tag, id }: FoundRecord,
  known: Known | null,
  onGo: (path: string) => void,
  onPress: (code: string) => void,
): PaletteItem[] {
  const { t } = useText()
  const { can, user, permissions } = useApi()
  const item = (
    key: string,
    icon: string | null,
    text: string,
    run: () => void,
    group: PaletteItem['group'] = 'actions',
  ): PaletteItem => ({ key, group, icon, text, note: '', kind: '', run })
  const scope = { row: { ...known?.row }, user: { ...user }, mode: 'view' }
  const buttons =
    known === null
      ? []
      : shownButtons(
          known.config,
          [buttonPositions.row],
          scope,
          (code, error) => logHidden(code)(error),
          permissions,
        )
  const names = new Set(buttons.map(({ name }) => name))
  return [
    item('view', 'document', t('common.view'), () => onGo(paths.details(tag, { id }))),
    ...(can(entityPermission(tag, 'update'))
      ? [item('edit', 'edit', t('common.edit'), () => onGo(paths.form(tag, { id })))]
      : []),
    ...buttons.map(({ code, icon, name }) =>
      item(`button ${code}`, icon, name, () => onPress(code)),
    ),
    // A button may lead to such a list already.
    ...(known?.related ?? []).flatMap((list) =>
      names.has(list.name) || known === null
        ? []
        : [
            item(
              `list ${list.tag} ${list.attrName}`,
              'list',
              list.name,
              () => onGo(buildRelatedPath(list, known.row)),
              'records',
            ),
          ],
    ),
  ]
}
