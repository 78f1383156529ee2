# What it is built on, by release. Whoever deploys pins both by digest, as in
#   docker build --build-arg GO_IMAGE=golang:1.26-bookworm@sha256:... --build-arg BASE_IMAGE=gcr.io/distroless/static-debian12:nonroot@sha256:... .
# The digests of today: docker buildx imagetools inspect IMAGE.
ARG GO_IMAGE=golang:1.26-bookworm
ARG BASE_IMAGE=gcr.io/distroless/static-debian12:nonroot

# The build stage builds as everybody does: make build.
FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The repository's history is not in here: what the program says of its version has to be told.
ARG VERSION
RUN make build VERSION="$VERSION" && mkdir /empty

# No shell, no package manager, not root. The root file system may be read-only; only /data is written, and only if ANNAI_DATA names it.
FROM ${BASE_IMAGE}
COPY --from=build /src/bin/annai /src/bin/annai.cdx.json /
COPY --from=build --chown=nonroot:nonroot /empty /data
# A container is reached from outside it. Whoever starts one decides who may: serve refuses this address without ANNAI_INSECURE=true.
ENV ANNAI_LISTEN=0.0.0.0:8080
USER nonroot
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/annai", "doctor", "--ready"]
ENTRYPOINT ["/annai"]
CMD ["serve"]
