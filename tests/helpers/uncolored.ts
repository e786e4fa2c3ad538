/** `npm test` asks for colors. Tests compare what the commands that they start print without them. */
delete process.env.FORCE_COLOR
