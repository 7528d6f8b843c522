import { Button } from '@blueprintjs/core'
import type { FoundRecord } from '@jiaowu/api/contract/entity/search'
import type { MenuNode } from '@jiaowu/api/contract/session'
import { problemText } from '@jiaowu/api/problem'
import { useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import type { PaletteAction, PaletteProps } from '../../app/pages.ts'
import { useText } from '../../app/text-context.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useFocusReturn } from '../../ui/overlays/layers.ts'
import { findActions, findPages, listLeaves, toRecordItem } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'
import { RecordActions } from './record-actions.tsx'
import { useRecordSearch } from './use-record-search.ts'

/** Ctrl+K: finds records, pages and actions, by keyboard alone, and acts on records. */
export function CommandPalette({ onClose, ...props }: PaletteProps) {
  const { t } = useText()
  useFocusReturn(true)
  return (
    <Dialog isOpen onClose={onClose} className="jw-palette" label={t('shell.palette')}>
      <Inside {...props} onClose={onClose} />
    </Dialog>
  )
}

function Inside({ menu, actions, onClose, onGo }: PaletteProps) {
  const [record, setRecord] = useState<FoundRecord | null>(null)
  const [query, setQuery] = useState('')
  const leave = (run: () => void) => {
    onClose()
    run()
  }
  const go = (path: string) => leave(() => onGo(path))
  return record === null ? (
    <FindAnything
      menu={menu}
      actions={actions}
      query={query}
      onQuery={setQuery}
      onGo={go}
      onLeave={leave}
      onActions={setRecord}
    />
  ) : (
    <RecordActions record={record} onGo={go} onLeave={leave} onBack={() => setRecord(null)} />
  )
}

function FindAnything({
  menu,
  actions,
  query,
  onQuery,
  onGo,
  onLeave,
  onActions,
}: {
  readonly menu: readonly MenuNode[]
  readonly actions: readonly PaletteAction[]
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly onGo: (path: string) => void
  readonly onLeave: (run: () => void) => void
  readonly onActions: (record: FoundRecord) => void
}) {
  const { t, locale } = useText()
  const { can } = useApi()
  const open = ({ tag, id }: FoundRecord) => onGo(paths.details(tag, { id }))
  const { actor, view, records } = useRecordSearch(open, query)
  const wanted = query.trim()
  const isFresh = view.searchKey.trim() === wanted && !view.busy
  const icons = new Map(listLeaves(menu).map(({ node }) => [node.tag, node.icon]))
  const shown = isFresh
    ? records.map((each) =>
        toRecordItem(each, wanted === '' ? 'recent' : 'records', icons.get(each.tag) ?? null, open),
      )
    : []
  const pages = findPages(menu, wanted, onGo)
  const own = actions.map((action) => ({ ...action, run: () => onLeave(action.run) }))
  const others = findActions(menu, wanted, own, { can, t, onGo })
  const items = [...(wanted === '' ? [...shown, ...pages] : [...pages, ...shown]), ...others]
  return (
    <PaletteList
      label={t('shell.palette')}
      placeholder={t('shell.palette.hint')}
      query={query}
      onQuery={(searchKey) => {
        onQuery(searchKey)
        actor.send({ type: 'lookup.search', searchKey })
      }}
      items={items}
      isBusy={view.busy}
      heads={{
        recent: t('shell.palette.recent'),
        pages: t('shell.palette.pages'),
        records: t('shell.palette.records'),
        actions: t('shell.palette.doing'),
      }}
      onEarlyEnter={() => actor.send({ type: 'lookup.enter', id: null })}
      onActions={({ record }) => {
        if (record !== undefined) onActions(record)
      }}
      note={
        view.problem === null ? (
          <p className="jw-palette__foot">
            {items.length === 0 && isFresh ? t('shell.palette.none') : t('shell.palette.keys')}
          </p>
        ) : (
          <p className="jw-palette__foot" role="alert">
            {problemText(locale, view.problem)}{' '}
            <Button
              size="small"
              variant="minimal"
              text={t('common.retry')}
              onClick={() => actor.send({ type: 'lookup.retry' })}
            />
          </p>
        )
      }
    />
  )
}
