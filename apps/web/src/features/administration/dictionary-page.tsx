import { Button, InputGroup } from '@blueprintjs/core'
import { Add, Download, Search } from '@blueprintjs/icons'
import {
  type DictItem,
  type EntityConfig,
  entityPermission,
  limits,
  problemText,
  type Row,
} from '@jiaowu/api'
import { importModesOf } from '@jiaowu/machines'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'
import { FormOverlay } from '../entity-form/form-overlay.tsx'
import { ImportButton } from '../import/transfer-buttons.tsx'
import { Empty, Failed, Loading } from '../../ui/page-state.tsx'
import { DictionaryItems } from './dictionary-items.tsx'
import { DictionaryPreview } from './dictionary-preview.tsx'

const ExportDrawer = lazy(async () => ({
  default: (await import('../export/export-drawer.tsx')).ExportDrawer,
}))
const [dictTag, itemTag] = ['SYS_DICT', 'SYS_DICT_ITEM']

/** /dictionary/preview: dictionaries on the left; the items of one, and what they look like in forms and lists, on the right (docs/spec/1-entity-console.md §7). */
export function DictionaryPage() {
  const { api, t, can, locale } = useApp()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const configs = useLoad('configs', (signal) =>
    Promise.all([
      api.entityData.config({ params: { tag: itemTag }, signal }),
      can(entityPermission(dictTag, 'view'))
        ? api.entityData.config({ params: { tag: dictTag }, signal })
        : null,
    ]),
  )
  const { data, problem, reload } = useLoad('dictionaries', (signal) =>
    api.entityData.page({
      params: { tag: dictTag },
      body: { pageSize: limits.maxPageSize, sorts: [{ column: 'code', asc: true }] },
      signal,
    }),
  )
  const failed = problem ?? configs.problem
  if (failed !== null)
    return (
      <Failed
        text={problemText(locale, failed)}
        onRetry={() => {
          reload()
          configs.reload()
        }}
      />
    )
  if (data === null || configs.data === null) return <Loading />
  const [itemConfig, dictConfig] = configs.data
  const words = search.trim().toLowerCase()
  const shown = data.records.filter(
    (row) =>
      words === '' ||
      [row['code'], row['name']].some((text) => String(text).toLowerCase().includes(words)),
  )
  const dict = data.records.find(({ id }) => id === chosen) ?? null
  return (
    <div className={`jw-dict${dict === null ? '' : ' has-chosen'}`}>
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
              onClick={() => setAdding(true)}
            />
          ) : null}
        </div>
        <ul>
          {shown.map((row) => (
            <li key={row.id}>
              <button
                type="button"
                aria-current={row.id === chosen}
                onClick={() => setChosen(row.id)}
              >
                <span>{String(row['name'])}</span>
                <code>{String(row['code'])}</code>
              </button>
            </li>
          ))}
        </ul>
        {shown.length === 0 ? <p className="jw-muted">{t('dictPage.none')}</p> : null}
      </nav>
      {dict === null ? (
        <section className="jw-panel jw-dict__main">
          <Empty title={t('dictPage.pick')} />
        </section>
      ) : (
        <Dictionary key={dict.id} dict={dict} config={itemConfig} />
      )}
      {dictConfig === null ? null : (
        <FormOverlay
          config={dictConfig}
          form={adding ? { id: null, viewOnly: false } : null}
          onClose={() => setAdding(false)}
          onSaved={(row) => {
            setAdding(false)
            setChosen(row.id)
            reload()
          }}
          onDirty={() => {}}
          onEdit={null}
        />
      )}
    </div>
  )
}

function Dictionary({ dict, config }: { readonly dict: Row; readonly config: EntityConfig }) {
  const { api, t, can, permissions, locale } = useApp()
  const code = String(dict['code'])
  const [exporting, setExporting] = useState(false)
  const { data, problem, reload } = useLoad(code, (signal) =>
    api.dictionaryItem.page({
      body: {
        pageSize: limits.maxPageSize,
        queries: { dictCode: code },
        sorts: [{ column: 'sort', asc: true }],
      },
      signal,
    }),
  )
  const items = useMemo(() => offered(data?.records ?? [], locale), [data, locale])
  return (
    <section className="jw-panel jw-dict__main" aria-label={String(dict['name'])}>
      <div className="jw-toolbar">
        <h3>
          {String(dict['name'])} <code>{code}</code>
        </h3>
        <span className="jw-toolbar__gap" />
        <ImportButton
          config={config}
          modes={importModesOf(config, permissions)}
          onChanged={reload}
        />
        {can(entityPermission(itemTag, 'export')) ? (
          <Button icon={<Download />} text={t('list.export')} onClick={() => setExporting(true)} />
        ) : null}
      </div>
      {problem !== null ? (
        <Failed text={problemText(locale, problem)} onRetry={reload} />
      ) : data === null ? (
        <Loading />
      ) : (
        <div className="jw-dict__body">
          <div>
            <h4>
              {t('dictPage.items')}{' '}
              <span className="jw-muted">{t('dictPage.count', { n: data.total })}</span>
            </h4>
            <DictionaryItems
              dictCode={code}
              rows={data.records}
              may={{
                add: can(entityPermission(itemTag, 'add')),
                update: can(entityPermission(itemTag, 'update')),
                delete: can(entityPermission(itemTag, 'delete')),
              }}
              onChanged={reload}
            />
          </div>
          <div>
            <h4>{t('dictPage.preview')}</h4>
            {items.length === 0 ? (
              <p className="jw-muted">{t('dictPage.noItems')}</p>
            ) : (
              <DictionaryPreview key={JSON.stringify(items)} items={items} />
            )}
          </div>
        </div>
      )}
      {exporting ? (
        <Suspense fallback={null}>
          <ExportDrawer
            config={config}
            applied={{ dictCode: code }}
            sorts={[{ column: 'sort', asc: true }]}
            total={data?.total ?? 0}
            columns={null}
            onClose={() => setExporting(false)}
          />
        </Suspense>
      ) : null}
    </section>
  )
}

/** What people are offered: items in use, in their own language. */
function offered(rows: readonly Row[], locale: string): readonly DictItem[] {
  return rows
    .filter((row) => row['status'] === '1')
    .map((row) => ({
      id: String(row['itemCode']),
      name: String((locale === 'en' ? row['nameEn'] : null) ?? row['name']),
      pid: String(row['pid'] ?? '0'),
    }))
}
