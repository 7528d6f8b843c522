import { Button, DialogBody, FormGroup, InputGroup } from '@blueprintjs/core'
import type { FlowDelegation } from '@jiaowu/api/contract/entity/flow'
import { schoolDay } from '@jiaowu/api/formats'
import { problemDetail } from '@jiaowu/api/problem'
import { useId, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { type Chosen, PersonPicker } from '../../ui/flow/person-picker.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'

interface Period {
  readonly to: string
  readonly from: string
  readonly until: string
}

/** The people who decide in the user's name, and in whose name the user decides, from day to day (委托). */
export function SubstitutesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const page = useResource({
    query: 'own',
    load: (_query, signal) => api.flow.delegations({ signal }),
    actions: {
      add: (period: Period) => api.flow.delegate({ body: period }),
      end: (id: string) => api.flow.endDelegation({ params: { id } }),
    },
    onDone: {
      add: () => {
        toast('success', t('hand.delegated'))
        page.reload()
      },
      end: () => page.reload(),
    },
  })
  const problem = page.failureOf('add') ?? page.failureOf('end')
  return (
    <Dialog
      isOpen
      title={t('hand.substitutes')}
      onClose={onClose}
      className="jw-calm jw-dialog--narrow"
    >
      <DialogBody>
        {problem === null ? null : (
          <p className="jw-fault" role="alert">
            {problemDetail(locale, problem)}
          </p>
        )}
        <ResourceBody of={page}>
          {({ given, received }) => (
            <>
              <Periods
                title={t('hand.given')}
                list={given}
                name={({ to }) => to.name}
                onEnd={(id) => page.start('end', id)}
              />
              <Periods title={t('hand.received')} list={received} name={({ by }) => by.name} />
            </>
          )}
        </ResourceBody>
        <NewPeriod
          // A period that is kept leaves an empty form.
          key={page.data?.given.length ?? 0}
          isActing={page.acting === 'add'}
          onAdd={(period) => page.start('add', period)}
        />
      </DialogBody>
    </Dialog>
  )
}

function Periods({
  title,
  list,
  name,
  onEnd,
}: {
  readonly title: string
  readonly list: readonly FlowDelegation[]
  readonly name: (delegation: FlowDelegation) => string
  readonly onEnd?: (id: string) => void
}) {
  const { t } = useText()
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      {list.length === 0 ? <p className="jw-muted">{t('hand.none')}</p> : null}
      <ul className="jw-todo__names">
        {list.map((each) => (
          <li key={each.id}>
            <span>
              {t('hand.period', { name: name(each), from: each.from, until: each.until })}
            </span>
            {onEnd === undefined ? null : (
              <Button size="small" text={t('hand.end')} onClick={() => onEnd(each.id)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function NewPeriod({
  isActing,
  onAdd,
}: {
  readonly isActing: boolean
  readonly onAdd: (period: Period) => void
}) {
  const { t } = useText()
  const id = useId()
  const [whom, setWhom] = useState<readonly Chosen[]>([])
  const [from, setFrom] = useState(() => schoolDay(new Date()))
  const [until, setUntil] = useState(from)
  const [first] = whom
  const days = [
    ['from', from, setFrom],
    ['until', until, setUntil],
  ] as const
  return (
    <section aria-label={t('hand.delegate')}>
      <Unsaved when={first !== undefined && !isActing} />
      <PersonPicker chosen={whom} onChange={(next) => setWhom(next.slice(-1))} />
      <div className="jw-hand__days">
        {days.map(([name, value, set]) => (
          <FormGroup key={name} label={t(`hand.${name}`)} labelFor={`${id}-${name}`}>
            <InputGroup
              id={`${id}-${name}`}
              type="date"
              value={value}
              onChange={({ currentTarget }) => set(currentTarget.value)}
            />
          </FormGroup>
        ))}
      </div>
      <Button
        intent="primary"
        loading={isActing}
        disabled={first === undefined || from === '' || until === ''}
        text={t('hand.delegate')}
        onClick={() => {
          if (first !== undefined) onAdd({ to: first.key, from, until })
        }}
      />
    </section>
  )
}
