import { Button, ButtonGroup } from '@blueprintjs/core'
import { ApiProblem } from '@jiaowu/api/problem'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import { schoolTime } from '@jiaowu/api/formats'
import type { DesignerEvent, PreviewKind } from '@jiaowu/machines/designer/types'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import type { EntityFormPorts } from '@jiaowu/machines/entity-form/ports'
import { useMemo, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { EntityForm } from '../../entity-form/entity-form.tsx'
import { useKnownItems } from '../use-sources.ts'
import { configOfDraft } from './config-of.ts'
import { ListPreview } from './list-preview.tsx'
import { sampleRows } from './sample-rows.ts'

// Kinds of preview: docs/spec/2-student-service-and-designer.md §3.
const kinds = ['list', 'form', 'details'] as const satisfies readonly PreviewKind[]
const sampleCount = 8
const nothing = () => {}

/** The draft as users will see it, drawn with the components of the console; follows every edit. */
export function Preview({
  view,
  send,
}: {
  readonly view: DesignerView
  readonly send: (event: DesignerEvent) => void
}) {
  const { t, locale } = useText()
  const known = useKnownItems(view.draft)
  const config = useMemo(
    () => configOfDraft(view.draft, locale, known),
    [view.draft, locale, known],
  )
  const rows = useMemo(() => sampleRows(config, sampleCount), [config])
  return (
    <section
      className="jw-design__preview"
      aria-label={t('designer.preview')}
      tabIndex={-1}
      data-part-of-page
    >
      <div className="jw-design__kinds">
        <ButtonGroup>
          {kinds.map((kind) => (
            <Button
              key={kind}
              active={view.view === kind}
              aria-pressed={view.view === kind}
              text={t(`designer.preview.${kind}`)}
              onClick={() => send({ type: 'preview.show', kind })}
            />
          ))}
        </ButtonGroup>
        <small className="jw-muted">{t('designer.preview.note')}</small>
        <span className="jw-toolbar__gap" />
        <Button
          variant="minimal"
          text={t('designer.preview.close')}
          onClick={() => send({ type: 'preview.close' })}
        />
      </div>
      {view.view === 'form' ? (
        <FormPreview config={config} row={null} />
      ) : view.view === 'details' ? (
        <FormPreview config={config} row={rows[0] ?? null} />
      ) : (
        <ListPreview config={config} rows={rows} />
      )}
    </section>
  )
}

function FormPreview({ config, row }: { readonly config: EntityConfig; readonly row: Row | null }) {
  const { t } = useText()
  const ports = useMemo(
    () => samplePorts(config, row, t('designer.preview.notSaved')),
    [config, row, t],
  )
  const [instance, setInstance] = useState(0)
  return (
    <EntityForm
      key={`${instance}-${JSON.stringify(config)}`}
      asPage
      tag={config.tag}
      id={row?.id ?? null}
      viewOnly={row !== null}
      ports={ports}
      onSaved={nothing}
      onLeft={() => setInstance(instance + 1)}
    />
  )
}

/** Form ports for sample rows: loading succeeds, saving is always refused with `message`. */
function samplePorts(config: EntityConfig, row: Row | null, message: string): EntityFormPorts {
  return {
    loadForm: () => Promise.resolve({ config, row, now: schoolTime(Date.now()) }),
    saveRow: () =>
      Promise.reject(
        new ApiProblem({
          kind: 'refused',
          code: 422,
          message,
          issues: [],
          data: null,
          traceId: null,
        }),
      ),
  }
}
