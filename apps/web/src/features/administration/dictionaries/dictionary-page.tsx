import { Button, InputGroup } from '@blueprintjs/core'
import { Add, Search } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { entityPermission } from '@jiaowu/api/entity/permission'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Empty } from '../../../ui/resource/page-state.tsx'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { type Loaded, useResource } from '../../../ui/resource/use-resource.ts'
import { FormOverlay } from '../../entity-form/form-overlay.tsx'
import { DictionaryPanel } from './dictionary-panel.tsx'

const [dictTag, itemTag] = ['SYS_DICT', 'SYS_DICT_ITEM']

/**
 * /dictionary/preview: dictionaries on the left; the items of one, and how they look in forms and
 * lists, on the right (docs/spec/1-entity-console.md §7).
 */
export function DictionaryPage() {
  const { t } = useText()
  const [chosen, setChosen] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const page = useDictionaries()
  return (
    <ResourceBody of={page}>
      {({ itemConfig, dictConfig, rows }) => {
        const dict = rows.find(({ id }) => id === chosen) ?? null
        return (
          <div className={`jw-dict${dict === null ? '' : ' has-chosen'}`}>
            <DictionaryList
              rows={rows}
              chosen={chosen}
              onChoose={setChosen}
              onAdd={() => setAdding(true)}
            />
            {dict === null ? (
              <section className="jw-panel jw-dict__main">
                <Empty title={t('dictPage.pick')} />
              </section>
            ) : (
              <DictionaryPanel key={dict.id} dict={dict} config={itemConfig} />
            )}
            {dictConfig === null ? null : (
              <FormOverlay
                config={dictConfig}
                form={adding ? { id: null, viewOnly: false } : null}
                onClose={() => setAdding(false)}
                onSaved={(row) => {
                  setAdding(false)
                  setChosen(row.id)
                  page.reload()
                }}
                onEdit={null}
              />
            )}
          </div>
        )
      }}
    </ResourceBody>
  )
}

interface Dictionaries {
  readonly itemConfig: EntityConfig
  /** Null when the user may not view dictionaries. */
  readonly dictConfig: EntityConfig | null
  readonly rows: readonly Row[]
}

/**
 * The dictionaries and the definitions behind them. Only the dictionaries are read again when one
 * was added.
 */
function useDictionaries(): Loaded<Dictionaries> {
  const { api, can } = useApi()
  const configs = useResource({
    query: 'configs',
    load: (_query, signal) =>
      Promise.all([
        api.entityData.config({ params: { tag: itemTag }, signal }),
        can(entityPermission(dictTag, 'view'))
          ? api.entityData.config({ params: { tag: dictTag }, signal })
          : null,
      ]),
  })
  const dictionaries = useResource({
    query: 'dictionaries',
    load: (_query, signal) =>
      api.entityData.page({
        params: { tag: dictTag },
        body: { pageSize: limits.maxPageSize, sorts: [{ column: 'code', asc: true }] },
        signal,
      }),
  })
  const [itemConfig, dictConfig] = configs.data ?? [null, null]
  return {
    data:
      itemConfig === null || dictionaries.data === null
        ? null
        : { itemConfig, dictConfig, rows: dictionaries.data.records },
    problem: dictionaries.problem ?? configs.problem,
    isLoading: configs.isLoading || dictionaries.isLoading,
    reload: () => {
      dictionaries.reload()
      if (configs.problem !== null) configs.reload()
    },
  }
}

function DictionaryList({
  rows,
  chosen,
  onChoose,
  onAdd,
}: {
  readonly rows: readonly Row[]
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  readonly onAdd: () => void
}) {
  const { t } = useText()
  const { can } = useApi()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = rows.filter((row) =>
    [row['code'], row['name']].some((text) => String(text).toLowerCase().includes(wanted)),
  )
  return (
    <nav className="jw-panel jw-dict__list" aria-label={t('dictPage.title')}>
      <div className="jw-toolbar">
        <InputGroup
          fill
          leftElement={<Search className="bp6-icon" size={14} />}
          placeholder={t('dictPage.search')}
          aria-label={t('dictPage.search')}
          value={search}
          onValueChange={setSearch}
        />
        {can(entityPermission(dictTag, 'add')) ? (
          <Button
            icon={<Add />}
            aria-label={t('dictPage.addDict')}
            title={t('dictPage.addDict')}
            onClick={onAdd}
          />
        ) : null}
      </div>
      <ul>
        {shown.map((row) => (
          <li key={row.id}>
            <button type="button" aria-current={row.id === chosen} onClick={() => onChoose(row.id)}>
              <span>{String(row['name'])}</span>
              <code>{String(row['code'])}</code>
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <p className="jw-muted">{t('dictPage.none')}</p> : null}
    </nav>
  )
}
