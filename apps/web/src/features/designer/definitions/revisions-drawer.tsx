import { Button, Tag } from '@blueprintjs/core'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { EntityRevision } from '@jiaowu/api/entity/definition/stored'
import { problemText } from '@jiaowu/api/problem'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Empty, Failed, Loading } from '../../../ui/resource/page-state.tsx'
import { compareDefinitions, type Difference, partName } from '../describe.ts'
import { useLoad } from './use-load.ts'
import { Drawer } from '../../../ui/overlays/drawer.tsx'

type Translate = Parameters<typeof partName>[1]

interface Props {
  readonly tag: string
  readonly draft: Draft
  readonly canTake: boolean
  readonly onTake: (definition: EntityDefinition, version: number) => void
  readonly onClose: () => void
}

/**
 * All saved revisions of the entity, compared with the draft; `onTake` replaces the draft by a
 * revision.
 */
export function RevisionsDrawer({ tag, draft, canTake, onTake, onClose }: Props) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { data, problem, reload } = useLoad(tag, (signal) =>
    api.design.revisions({ params: { tag }, signal }),
  )
  const [chosen, setChosen] = useState<number | null>(null)
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={t('designer.revisions')}
      size="min(760px, 100vw)"
      className="jw-revisions"
    >
      {data === null ? (
        problem === null ? (
          <Loading />
        ) : (
          <Failed text={problemText(locale, problem)} onRetry={reload} />
        )
      ) : data.length === 0 ? (
        <Empty title={t('designer.revisions.none')} />
      ) : (
        <div className="jw-revisions__body" inert={!canTake}>
          <ul>
            {data.map((revision) => (
              <Item
                key={revision.version}
                revision={revision}
                chosen={chosen === revision.version}
                onChoose={() => setChosen(revision.version)}
              />
            ))}
          </ul>
          <div className="jw-revisions__diff">
            {chosen === null ? null : (
              <Revision
                key={chosen}
                tag={tag}
                version={chosen}
                draft={draft}
                onTake={(definition) => onTake(definition, chosen)}
              />
            )}
          </div>
        </div>
      )}
    </Drawer>
  )
}

function Item({
  revision: { version, note, createTime, createUser },
  chosen,
  onChoose,
}: {
  readonly revision: EntityRevision
  readonly chosen: boolean
  readonly onChoose: () => void
}) {
  const { t } = useText()
  return (
    <li>
      <button type="button" aria-pressed={chosen} onClick={onChoose}>
        <Tag minimal>{t('designer.revisions.version', { n: version })}</Tag>
        <span className="jw-revisions__note">{note ?? '—'}</span>
        <small className="jw-muted">
          {t('designer.revisions.by', {
            who: createUser ?? t('designer.revisions.system'),
            when: createTime,
          })}
        </small>
      </button>
    </li>
  )
}

function Revision({
  tag,
  version,
  draft,
  onTake,
}: {
  readonly tag: string
  readonly version: number
  readonly draft: Draft
  readonly onTake: (definition: EntityDefinition) => void
}) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { data, problem, reload } = useLoad(`${tag}-${version}`, (signal) =>
    api.design.revision({ params: { tag, version: String(version) }, signal }),
  )
  if (data === null || data.version !== version)
    return problem === null ? (
      <Loading />
    ) : (
      <Failed text={problemText(locale, problem)} onRetry={reload} />
    )
  return (
    <>
      <div className="jw-revisions__take">
        <Button
          intent="primary"
          text={t('designer.revisions.take')}
          onClick={() => onTake(data.definition)}
        />
      </div>
      <DiffView left={data.definition} right={draft} />
    </>
  )
}

/** Differences between a revision and the draft. */
function DiffView({
  left,
  right,
}: {
  readonly left: EntityDefinition
  readonly right: EntityDefinition
}) {
  const { t } = useText()
  const { own, fields, order } = compareDefinitions(left, right)
  if (own.length === 0 && fields.length === 0 && order === null)
    return <p className="jw-muted">{t('designer.revisions.same')}</p>
  return (
    <div className="jw-diff">
      <p className="jw-muted">{t('designer.revisions.differs')}</p>
      {own.length === 0 && order === null ? null : (
        <section>
          <Lines lines={[...own, ...(order === null ? [] : [order])]} />
        </section>
      )}
      {fields.map(({ attrName, label, is, changes }) => (
        <section key={attrName} className={`is-${is}`}>
          <h5>
            {is === 'added' ? <ins>+ {label}</ins> : is === 'removed' ? <del>{label}</del> : label}{' '}
            <code>{attrName}</code>
          </h5>
          <Lines lines={changes} />
        </section>
      ))}
    </div>
  )
}

function Lines({ lines }: { readonly lines: readonly Difference[] }) {
  const { t } = useText()
  return (
    <>
      {lines.map(({ part, left, right }) => (
        <div key={part} className="jw-diff__line">
          <small>{partName(part, t as Translate, (name) => name)}</small>
          <del>{left}</del>
          <ins>{right}</ins>
        </div>
      ))}
    </>
  )
}
