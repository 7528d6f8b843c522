import { listSampleSentences } from '../../../machines/sample-file.ts'
import samples from '../../../machines/sign-in/samples.json' with { type: 'json' }
import type { MachineWords } from './machine-words.ts'

export const signIn = {
  name: ['学生登录', 'Sign-in of students'],
  place: ['打开学生服务页', 'Open the page for students'],
  states: {
    form: ['登录表单', 'the form'],
    'form.editing': ['正在填写', 'filling in'],
    'form.refused': ['登录被拒绝', 'the sign-in was refused'],
    proving: ['要填图片验证码', 'the characters of a picture are asked for'],
    submitting: ['正在登录', 'signing in'],
    done: ['已登录', 'signed in'],
  },
  events: {
    ...listSampleSentences(samples),
    'field.change': ['填写一项', 'Fill in a field'],
    'field.blur': ['离开一项（按 Tab）', 'Leave a field (press Tab)'],
    'field.blur(mobile)': [
      '离开“{studentPage.mobile}”（按 Tab）',
      'Leave “{studentPage.mobile}” (press Tab)',
    ],
    'field.blur(code)': [
      '离开“{studentPage.smsCode}”（按 Tab）',
      'Leave “{studentPage.smsCode}” (press Tab)',
    ],
    'code.ask': ['按“{studentPage.getCode}”', 'Press “{studentPage.getCode}”'],
    'form.submit': ['按“{studentPage.login}”', 'Press “{studentPage.login}”'],
    'captcha.solved': [
      '正确填写图片中的字符并确认',
      'Type the characters of the picture and confirm',
    ],
    'captcha.cancelled': ['关闭图片验证码的对话框', 'Close the dialog with the picture'],
  },
  calls: { signIn: ['登录', 'signing in'] },
  endings: {
    'signIn.in': ['成功', 'it succeeds'],
    'signIn.captcha': [
      '被拒绝，要先填图片验证码（连续填错几次后）',
      'it is refused: a picture comes first (after some wrong codes)',
    ],
    'signIn.wrong': [
      '被拒绝，验证码不对（填一个错的验证码）',
      'it is refused: the code is wrong (type a wrong one)',
    ],
  },
} as const satisfies MachineWords
