// The most common passwords that are long enough to be accepted.

const text = `
  password password1 password12 password123 password1234 password! p@ssword p@ssw0rd passw0rd passw0rd1 pass1234 passwort
  12345678 123456789 1234567890 12345678910 0123456789 0987654321 987654321 9876543210 87654321 11111111 111111111
  00000000 22222222 55555555 66666666 77777777 88888888 99999999 12341234 12344321 11223344 11112222 123123123 123321123
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 q1w2e3r4 qwer1234 qwerty12 qwerty123 qwerty1234 qwertyui qwertyuiop qwertz123
  asdfghjk asdfghjkl asdf1234 zxcvbnm1 zaq12wsx qazwsxedc abcdefgh abcdefghi abcd1234 abc12345 abc123456 aaaaaaaa a1b2c3d4
  iloveyou iloveyou1 iloveyou2 sunshine princess princess1 football football1 baseball basketball superman spiderman
  batman123 starwars pokemon1 minecraft minecraft1 roblox123 fortnite michelle jennifer jessica1 charlie1 elizabeth
  alexander christian computer internet samsung1 whatever trustno1 letmein1 letmein123 welcome1 welcome123 changeme
  changeme1 administrator admin123 admin1234 test1234 testtest dragon123 monkey123 shadow123 master123 hello123 hellohello
  chocolate butterfly rainbow1 unicorn1 september november december summer2024 winter2024 qwertyqwerty teacher1 student1
  school123 classroom computer1
`;

export const commonPasswords: ReadonlySet<string> = new Set(text.trim().split(/\s+/));
