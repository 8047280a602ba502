# The shop as an image: `main.ts web`, `main.ts jobs`, `main.ts migrate`, or a command, with an external database (DATABASE_URL).
FROM node:24.21.0-slim AS build
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# the runtime files, without tests, build tools and embedded PostgreSQL: scripts/assemble-image.ts finds them in the code
RUN PATH=/shop/node_modules/.bin:$PATH node scripts/build.ts && node scripts/assemble-image.ts /image

FROM node:24.21.0-slim
WORKDIR /shop
COPY --from=build /image ./
# DATA_DIR contains the documents when there is no bucket: mount a volume
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
	CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# --max-semi-space-size: most objects of a page are short-lived
ENTRYPOINT ["node", "--max-semi-space-size=16", "--max-old-space-size=256", "main.ts"]
CMD ["web"]
