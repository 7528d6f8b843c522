import type { MachineWords } from './machine-words.ts'

export const register = {
  name: ['学生首次登记手机号', 'Students register their mobile'],
  place: [
    '打开学生服务页，按“{studentPage.register}”',
    'Open the page for students, press “{studentPage.register}”',
  ],
  states: {
    closed: ['登记对话框未打开', 'the dialog is closed'],
    open: ['登记对话框', 'the dialog'],
    'open.editing': ['正在填写', 'filling in'],
    'open.refused': ['登记被拒绝', 'the registration was refused'],
    'open.waiting': ['等待老师核实', 'waiting for the staff to check'],
    'open.proving': ['要填图片验证码', 'the characters of a picture are asked for'],
    'open.submitting': ['正在登记', 'registering'],
  },
  events: {
    'register.open': ['按“{studentPage.register}”', 'Press “{studentPage.register}”'],
    'register.close': ['关闭对话框（右上角“×”）', 'Close the dialog (× at the top right)'],
    'field.change': ['填写一项', 'Fill in a field'],
    'field.change(idNumber)': ['证件号填“{value}”', 'Type “{value}” as the ID number'],
    'field.change(noId)': ['清空证件号', 'Clear the ID number'],
    'field.change(major)': ['专业填“{value}”', 'Type “{value}” as the major'],
    'field.change(mobile)': ['手机号填“{value}”', 'Type “{value}” as the mobile number'],
    'field.change(short)': [
      '手机号填“{value}”（位数不够）',
      'Type “{value}” (too short) as the mobile number',
    ],
    'field.change(code)': ['验证码填“{value}”', 'Type “{value}” as the code'],
    'field.blur': ['离开一项（按 Tab）', 'Leave a field (press Tab)'],
    'field.blur(major)': ['离开“专业”（按 Tab）', 'Leave the major (press Tab)'],
    'field.blur(idNumber)': ['离开“证件号”（按 Tab）', 'Leave the ID number (press Tab)'],
    'field.blur(mobile)': ['离开“手机号”（按 Tab）', 'Leave the mobile number (press Tab)'],
    'code.ask': ['按“{studentPage.getCode}”', 'Press “{studentPage.getCode}”'],
    'form.submit': ['按对话框中的提交按钮', 'Press the button of the dialog that submits'],
    'captcha.solved': [
      '正确填写图片中的字符并确认',
      'Type the characters of the picture and confirm',
    ],
    'captcha.cancelled': ['关闭图片验证码的对话框', 'Close the dialog with the picture'],
  },
  calls: { register: ['登记', 'registering'] },
  endings: {
    'register.done': ['成功', 'it succeeds'],
    'register.waiting': [
      '已收到，{days} 天内由老师核实',
      'it is received; the staff check it within {days} days',
    ],
    'register.captcha': ['被拒绝，要先填图片验证码', 'it is refused: a picture comes first'],
    'register.refused': [
      '被拒绝，与学籍不符（填一个不对的证件号）',
      'it is refused: the data do not match (type another ID number)',
    ],
  },
} as const satisfies MachineWords
