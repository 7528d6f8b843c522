import { stateIn } from 'xstate'
import { designerSetup } from '../setup.ts'

/** Shows the designer, the JSON editor or a preview. */
export const viewState = designerSetup.createStateConfig({
  initial: 'designing',
  states: {
    designing: {
      on: {
        'json.open': {
          guard: stateIn({ open: { work: 'editing' } }),
          target: 'json',
          actions: 'openJson',
        },
        'preview.show': [
          { guard: ({ event }) => event.kind === 'list', target: 'preview.list' },
          { guard: ({ event }) => event.kind === 'form', target: 'preview.form' },
          { target: 'preview.details' },
        ],
      },
    },
    preview: {
      initial: 'list',
      on: {
        'preview.close': { target: 'designing' },
        'preview.show': [
          { guard: ({ event }) => event.kind === 'list', target: '.list' },
          { guard: ({ event }) => event.kind === 'form', target: '.form' },
          { target: '.details' },
        ],
      },
      states: { list: {}, form: {}, details: {} },
    },
    json: {
      on: {
        'json.change': { actions: { type: 'typeJson', params: ({ event }) => event } },
        'json.format': { actions: 'formatJson' },
        'json.apply': [
          { guard: 'isJsonGood', target: 'designing', actions: 'closeJson' },
          { actions: 'formatJson' },
        ],
        'json.cancel': { target: 'designing', actions: 'closeJson' },
      },
    },
  },
})
